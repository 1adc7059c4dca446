// The bytes of one array of a VTU file: raw or base64, plain or in zlib blocks. Declared sizes are
// trusted only as far as the bytes that follow could hold them.
#pragma once

#include "mesh/scan.h"

typedef struct StVtuEncoding {
  bool swap;       // the file's byte order is not ours
  bool wide;       // lengths are UInt64, else UInt32
  bool compressed; // by zlib
} StVtuEncoding;

typedef struct StVtuBytes {
  const char *at, *end;
  bool base64;
  unsigned char kept[3]; // decoded, not yet consumed
  int kept_count;
} StVtuBytes;

// The expected number of bytes.
typedef struct StVtuSize {
  size_t least, most;
} StVtuSize;

// *data: *size bytes and a terminating 0, free() it; untouched on failure. Nothing is unpacked
// before its size is checked. Messages use the scan's mark as location.
StStatus st_vtu_decode(const StScan *scan, const StVtuEncoding *encoding, StVtuBytes source,
                       StVtuSize wanted, char **data, size_t *size);
