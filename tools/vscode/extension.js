// Starts `lanewise dap` for each debug session of VS Code; all the rest is the adapter's.
const vscode = require('vscode');

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('lanewise', {
      createDebugAdapterDescriptor(session) {
        const program = vscode.workspace.getConfiguration('lanewise', session.workspaceFolder).get('program') || 'lanewise';
        return new vscode.DebugAdapterExecutable(program, ['dap']);
      },
    }));
};
