// What is on the screen as a few lines for other programs: curl, Python, Power Query and R. Pure.

import { type ScreenRead, urlOf } from './screen-reads.ts';
import { quote, tokenHeader } from './shell-quote.ts';

export type Language = 'curl' | 'python' | 'powerquery' | 'r';

export const LANGUAGES: readonly (readonly [language: Language, label: string])[] = [
  ['curl', 'curl'],
  ['python', 'Python (pandas)'],
  ['powerquery', 'Power Query M (Excel, Power BI)'],
  ['r', 'R'],
];

export interface CopiedReads {
  readonly origin: string;
  readonly requests: readonly ScreenRead[];
  /** Whether a token is sent: never it, but the place where the program finds it. */
  readonly hasToken: boolean;
  /** Whether all values are numbers. */
  readonly isNumeric: boolean;
}

/** A line a point, in a form that all of them read. */
const AS_ROWS = [
  ['format', 'rows'],
  ['as', 'csv'],
] as const;
/** A zone is for the calendar of intervals and relative times here: R reads times with an offset by no format. */
const IN_UTC = [['timeFormat', 'utc']] as const;

export function formatReads(language: Language, reads: CopiedReads): string {
  return FORMATS[language](reads);
}

const FORMATS: Readonly<Record<Language, (reads: CopiedReads) => string>> = {
  curl: formatCurl,
  python: formatPython,
  powerquery: formatPowerQuery,
  r: formatR,
};

function formatCurl({ origin, requests, hasToken }: CopiedReads): string {
  return requests.map((request) => `curl -s ${tokenHeader(hasToken)}${quote(urlOf(origin, request))}`).join('\n');
}

function rowUrls({ origin, requests }: CopiedReads): string[] {
  // Quotes of a name would end the text that the address stands in.
  return requests.map((request) => {
    const hasZone = request.parameters.some(([name]) => name === 'tz');
    return urlOf(origin, request, hasZone ? [...AS_ROWS, ...IN_UTC] : AS_ROWS).replaceAll("'", '%27');
  });
}

function formatPython(reads: CopiedReads): string {
  const options = reads.hasToken ? ', storage_options={"Authorization": f"Bearer {os.environ[\'VARVE_TOKEN\']}"}' : '';
  return [
    ...(reads.hasToken ? ['import os'] : []),
    'import pandas as pd',
    '',
    'urls = [',
    ...rowUrls(reads).map((url) => `    "${url}",`),
    ']',
    `data = pd.concat([pd.read_csv(url${options}) for url in urls], ignore_index=True)`,
    'data["time"] = pd.to_datetime(data["time"], format="ISO8601", utc=True)',
    'print(data)',
    '',
  ].join('\n');
}

function formatPowerQuery(reads: CopiedReads): string {
  const headers = reads.hasToken ? ', [Headers = [Authorization = "Bearer " & Token]]' : '';
  const types = ['{"time", type datetimezone}', ...(reads.isNumeric ? ['{"value", type number}'] : [])];
  return [
    'let',
    ...(reads.hasToken ? ['    Token = "",  // the token of this server'] : []),
    '    Read = (url as text) as table => Table.PromoteHeaders(Csv.Document(',
    `        Web.Contents(url${headers}),`,
    '        [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]), [PromoteAllScalars = true]),',
    '    Source = Table.Combine({',
    rowUrls(reads)
      .map((url) => `        Read("${url}")`)
      .join(',\n'),
    '    }),',
    `    Typed = Table.TransformColumnTypes(Source, {${types.join(', ')}}, "en-US")`,
    'in',
    '    Typed',
    '',
  ].join('\n');
}

function formatR(reads: CopiedReads): string {
  const source = reads.hasToken
    ? 'url(address, headers = c(Authorization = paste("Bearer", Sys.getenv("VARVE_TOKEN"))))'
    : 'url(address)';
  return [
    'urls <- c(',
    rowUrls(reads)
      .map((url) => `  "${url}"`)
      .join(',\n'),
    ')',
    `parts <- lapply(urls, function(address) read.csv(${source}, encoding = "UTF-8"))`,
    'data <- Reduce(function(a, b) merge(a, b, all = TRUE), parts)',
    'data$time <- as.POSIXct(data$time, format = "%Y-%m-%dT%H:%M:%OSZ", tz = "UTC")',
    'print(head(data))',
    '',
  ].join('\n');
}
