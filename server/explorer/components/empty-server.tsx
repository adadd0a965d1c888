// What a server without data shows: three ways to begin.

import { useMay } from '../state/account.ts';
import { openDialog } from '../state/actions.ts';

export function EmptyServer() {
  const mayCreate = useMay('write');
  const curl = `curl ${location.origin}/api/datasets/First/data \\
  -d '{"Temperature":[{"v":21.5}]}'`;
  return (
    <div class="start">
      <h2>There is no data here yet</h2>
      <p>A dataset holds tags, a tag holds its points in time order. Three ways to the first curve:</p>
      <ol>
        <li>
          <h3>Write a value</h3>
          <p>Dataset and tag are made by the first write; run it again with another value.</p>
          <pre>{curl}</pre>
        </li>
        <li>
          <h3>Run the demo plant</h3>
          <p>A small dairy with a week of history, on an empty data folder:</p>
          <pre>npm start</pre>
        </li>
        <li>
          <h3>Simulate your own plant</h3>
          <p>From a configuration of sequences, steps and tags:</p>
          <pre>npm run simulate -- --config demo/plant.json --dataset Plant --url {location.origin}</pre>
        </li>
      </ol>
      <p>
        {mayCreate ? (
          <button type="button" class="button primary" onClick={() => openDialog({ kind: 'new-dataset' })}>
            Create a dataset
          </button>
        ) : null}{' '}
        <a class="button" href="/api/help">
          Read the API
        </a>
      </p>
    </div>
  );
}
