// Polls all connections at once, so that none of them can block the others.
#include "show/serve.h"

#include "base/clock.h"
#include "base/memory.h"
#include "show/serve_request.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { CONNECTIONS = 32, WAIT_MILLISECONDS = 250 };

// Time limits of a whole connection, however often it makes a little progress, ms: to send its
// request, and to receive the reply, plus extra time for a long one (bytes per ms).
enum { REQUEST_TIME = 5000, REPLY_TIME = 20000, REPLY_PACE = 64 };

static const char PLAIN[] = "text/plain; charset=utf-8";

typedef struct Connection {
  int socket;    // -1: free
  int64_t since; // ms, start of its request or reply
  size_t received;
  char request[ST_REQUEST_SIZE];
  StText reply; // to send once the request is complete
  size_t sent;
} Connection;

typedef struct Server {
  int listener;
  StAnswer *answer;
  void *context;
  Connection connection[CONNECTIONS];
} Server;

static int64_t now(void) { // ms
  return (int64_t)(1000 * st_clock_seconds());
}

static StStatus fail_port(int socket, int port, StError *error) {
  StStatus status = errno == EADDRINUSE || errno == EACCES ? ST_BAD_INPUT : ST_SYSTEM_FAULT;
  st_fail(error, status, "port %d cannot be used: %s; choose another, or 0 for any that is free",
          port, strerror(errno));
  if (socket >= 0)
    close(socket);
  return status;
}

StStatus st_serve_open(int *port, int *listener, StError *error) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_port = htons((uint16_t)*port),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  int on = 1, opened = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (opened < 0 || setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(opened, (struct sockaddr *)&address, size) != 0 || listen(opened, SOMAXCONN) != 0 ||
      getsockname(opened, (struct sockaddr *)&address, &size) != 0)
    return fail_port(opened, *port, error);
  *port = ntohs(address.sin_port);
  *listener = opened;
  return ST_OK;
}

static void drop(Connection *connection) {
  close(connection->socket);
  st_text_free(&connection->reply);
  *connection = (Connection){.socket = -1};
}

// A free slot; if there is none, that of the oldest connection: others finish within moments, so
// slow clients cannot keep new ones out.
static Connection *find_place(Server *server) {
  Connection *found = &server->connection[0];
  for (int i = 0; i < CONNECTIONS && found->socket >= 0; i++) {
    Connection *one = &server->connection[i];
    if (one->socket < 0 || one->since < found->since)
      found = one;
  }
  return found;
}

static bool accept_one(Server *server) {
  int opened = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (opened < 0)
    return false;
  Connection *place = find_place(server);
  if (place->socket >= 0)
    drop(place);
  *place = (Connection){.socket = opened, .since = now()};
  return true;
}

static void write_reply(const StReply *reply, StText *text) {
  st_text_add(text,
              "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\n"
              "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
              "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
              reply->status, st_status_phrase(reply->status), reply->type, reply->body.length);
  st_text_add_bytes(text, reply->body.data, reply->body.length);
}

// Starts sending the reply.
static void give(Connection *connection, StReply *reply) {
  if (reply->body.failed) {
    st_text_free(&reply->body);
    reply->status = 500;
  }
  if (reply->status != 200 && !reply->body.length)
    st_text_add(&reply->body, "%s\n", st_status_phrase(reply->status));
  write_reply(reply, &connection->reply);
  st_text_free(&reply->body);
  connection->since = now();
  if (connection->reply.failed)
    drop(connection);
}

static void respond(Server *server, Connection *connection) {
  char path[ST_PATH_SIZE];
  StReply reply = {.status = st_request_parse(connection->request, connection->received, path),
                   .type = PLAIN};
  if (!st_request_complete(connection->request, connection->received))
    reply.status = 431;
  if (reply.status == 200)
    server->answer(server->context, path, &reply);
  give(connection, &reply);
}

static void receive(Server *server, Connection *connection) {
  ssize_t got = recv(connection->socket, connection->request + connection->received,
                     sizeof connection->request - connection->received, 0);
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  if (got <= 0) {
    drop(connection);
    return;
  }
  connection->received += (size_t)got;
  if (st_request_complete(connection->request, connection->received) ||
      connection->received == sizeof connection->request)
    respond(server, connection);
}

static void send_more(Connection *connection) {
  const StText *reply = &connection->reply;
  ssize_t gone = send(connection->socket, reply->data + connection->sent,
                      reply->length - connection->sent, MSG_NOSIGNAL);
  if (gone < 0 && (errno == EAGAIN || errno == EINTR))
    return;
  connection->sent += gone > 0 ? (size_t)gone : 0;
  if (gone < 0 || connection->sent == reply->length)
    drop(connection);
}

static bool is_late(const Connection *connection) {
  size_t length = connection->reply.length;
  int64_t most = length ? REPLY_TIME + (int64_t)(length / REPLY_PACE) : REQUEST_TIME;
  return now() - connection->since > most;
}

// Clients that started a request get an error; those that sent or receive nothing do not.
static void end_late(Connection *connection) {
  StReply reply = {.status = 408, .type = PLAIN};
  if (connection->received && !connection->reply.length)
    give(connection, &reply);
  else
    drop(connection);
}

// Handles the poll result of a connection.
static void attend(Server *server, Connection *connection, short events) {
  if (events & POLLOUT)
    send_more(connection);
  else if (events & POLLIN)
    receive(server, connection);
  else if (events & (POLLERR | POLLHUP | POLLNVAL))
    drop(connection);
  if (connection->socket >= 0 && is_late(connection))
    end_late(connection);
}

static bool turn(Server *server) {
  struct pollfd wait[CONNECTIONS + 1] = {{.fd = server->listener, .events = POLLIN}};
  for (int i = 0; i < CONNECTIONS; i++) {
    const Connection *connection = &server->connection[i];
    wait[i + 1] = (struct pollfd){.fd = connection->socket,
                                  .events = connection->reply.length ? POLLOUT : POLLIN};
  }
  int ready = poll(wait, CONNECTIONS + 1, WAIT_MILLISECONDS);
  if (ready < 0)
    return errno == EINTR;
  for (int i = 0; i < CONNECTIONS; i++)
    if (server->connection[i].socket >= 0)
      attend(server, &server->connection[i], wait[i + 1].revents);
  for (int i = 0; wait[0].revents & POLLIN && i < CONNECTIONS; i++)
    if (!accept_one(server))
      break;
  return true;
}

StStatus st_serve(int listener, StAnswer *answer, void *context, const volatile sig_atomic_t *stop,
                  StError *error) {
  ST_FREE Server *server = ST_NEW(Server, 1);
  StStatus status = server ? ST_OK : st_fail_memory(error);
  if (server)
    *server = (Server){.listener = listener, .answer = answer, .context = context};
  for (int i = 0; server && i < CONNECTIONS; i++)
    server->connection[i].socket = -1;
  while (status == ST_OK && !*stop)
    if (!turn(server))
      status = st_fail(error, ST_SYSTEM_FAULT, "the server cannot wait for browsers: %s",
                       strerror(errno));
  for (int i = 0; server && i < CONNECTIONS; i++)
    if (server->connection[i].socket >= 0)
      drop(&server->connection[i]);
  close(listener);
  return status;
}
