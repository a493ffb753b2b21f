#include "golden/pictures/codec.h"

extern "C" __attribute__((visibility("default"))) const lanewise::golden::PictureCodec lanewisePictureCodec;

const lanewise::golden::PictureCodec lanewisePictureCodec = {
    LANEWISE_VERSION,
    lanewise::golden::codec::readPicture,
    lanewise::golden::codec::readImage,
    lanewise::golden::codec::encode,
};
