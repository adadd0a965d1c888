// The titles of the HTTP status codes the server uses, for status lines and for the `title` of problems.

const titles = new Map<number, string>([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
  [204, 'No Content'],
  [206, 'Partial Content'],
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [303, 'See Other'],
  [304, 'Not Modified'],
  [307, 'Temporary Redirect'],
  [308, 'Permanent Redirect'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [406, 'Not Acceptable'],
  [408, 'Request Timeout'],
  [409, 'Conflict'],
  [410, 'Gone'],
  [411, 'Length Required'],
  [412, 'Precondition Failed'],
  [413, 'Content Too Large'],
  [414, 'URI Too Long'],
  [415, 'Unsupported Media Type'],
  [416, 'Range Not Satisfiable'],
  [417, 'Expectation Failed'],
  [422, 'Unprocessable Content'],
  [426, 'Upgrade Required'],
  [428, 'Precondition Required'],
  [429, 'Too Many Requests'],
  [431, 'Request Header Fields Too Large'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [503, 'Service Unavailable'],
  [504, 'Gateway Timeout'],
  [507, 'Insufficient Storage'],
]);

/** The standard title of a status code; its class's name for a code that is not in the table. */
export function statusTitle(status: number): string {
  const title = titles.get(status);
  if (title !== undefined) return title;
  if (status < 400) return 'OK';
  return status < 500 ? 'Client Error' : 'Server Error';
}

const statusLines = new Map<number, string>([...titles].map(([status, title]) => [status, `${status} ${title}`]));

/** The status line without the version: `404 Not Found`. */
export function statusLine(status: number): string {
  return statusLines.get(status) ?? `${status} ${statusTitle(status)}`;
}
