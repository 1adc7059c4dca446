// One request of a browser, read with distrust: other pages may send some too.
#ifndef ST_SHOW_SERVE_REQUEST_H
#define ST_SHOW_SERVE_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

enum { ST_REQUEST_SIZE = 8192, ST_PATH_SIZE = 128 };

// Whether the blank line that ends a request has come.
bool st_request_complete(const char *text, size_t size);

// 200 and the path without what follows a '?'; or the status with which to answer: 400 makes no
// sense, 403 came for another host (a page elsewhere whose name was pointed here), 405 is not GET,
// 414 is too long. Only letters, digits and "/-._" are let through, and no two dots in a row.
int st_request_parse(const char *text, size_t size, char path[ST_PATH_SIZE]);

const char *st_status_phrase(int status); // 404: "Not Found"

#endif
