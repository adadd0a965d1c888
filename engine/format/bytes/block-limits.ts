// Bounds of a block, shared by its codecs.

/** Most points of a block. Decoders refuse more, so that memory stays bounded whatever the bytes say. */
export const MAX_BLOCK_POINTS = 8192;
