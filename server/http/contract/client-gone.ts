// The error of work for a client that has disconnected. Nobody's fault: it is neither answered nor logged.

export class ClientGoneError extends Error {
  constructor(reason = 'The client closed the connection.') {
    super(reason);
    this.name = 'ClientGoneError';
  }
}
