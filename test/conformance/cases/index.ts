// Loads every case of the conformance suite into the registry.

import './access.ts';
import './command-line.ts';
import './dataset-names.ts';
import './datasets.ts';
import './endpoints.ts';
import './encodings.ts';
import './far-ahead.ts';
import './http-paths.ts';
import './http-refusals.ts';
import './http-writes.ts';
import './json-details.ts';
import './points.ts';
import './purge-rules.ts';
import './reading.ts';
import './reading-times.ts';
import './reference-definitions.ts';
import './reference-http.ts';
import './reference-points.ts';
import './rules.ts';
import './status.ts';
import './stopping.ts';
import './system-tags.ts';
import './tags.ts';
import './timebase.ts';
import './value-types.ts';
