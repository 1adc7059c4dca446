// A browser's request, treated as untrusted: other pages can send requests too.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ST_REQUEST_SIZE = 8192, ST_PATH_SIZE = 128 };

// Whether the blank line that ends a request has arrived.
bool st_request_complete(const char *text, size_t size);

// 200 and the path without the query; otherwise the status to reply with: 400 malformed, 403 for
// another host (a foreign page whose name resolves to this machine), 405 not GET, 414 too long.
// Accepts only letters, digits and "/-._", without two dots in a row.
int st_request_parse(const char *text, size_t size, char path[ST_PATH_SIZE]);

const char *st_status_phrase(int status); // 404: "Not Found"
