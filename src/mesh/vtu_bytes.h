// The bytes of one array of a VTU file: raw or base64, plain or in zlib blocks. What is announced
// is believed only as far as the bytes that follow could hold it.
#ifndef ST_MESH_VTU_BYTES_H
#define ST_MESH_VTU_BYTES_H

#include "mesh/scan.h"

typedef struct StVtuEncoding {
  bool swap;       // the file's byte order is not ours
  bool wide;       // lengths are UInt64, else UInt32
  bool compressed; // by zlib
} StVtuEncoding;

typedef struct StVtuBytes {
  const char *at, *end;
  bool base64;
  unsigned char kept[3]; // decoded, not yet asked for
  int kept_count;
} StVtuBytes;

// How many bytes there must be.
typedef struct StVtuSize {
  size_t least, most;
} StVtuSize;

// *data: *size bytes and a 0 behind them, free() it; untouched on failure. Nothing is unpacked
// before its size is known to be wanted. The scan's mark names the place in messages.
StStatus st_vtu_decode(const StScan *scan, const StVtuEncoding *encoding, StVtuBytes source,
                       StVtuSize wanted, char **data, size_t *size);

#endif
