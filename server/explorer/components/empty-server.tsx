// What a server without a point shows: the ways to the first curve that the role has. The first point puts the trend in its place.

import { useState } from 'preact/hooks';
import {
  type CommandTarget,
  exampleDataset,
  formatFirstRead,
  formatFirstWrite,
  formatSimulate,
  INSTALL_WAYS,
  type InstallWay,
  TOKEN_COMMAND,
} from '../model/first-commands.ts';
import { useMay } from '../state/account.ts';
import { openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { CommandText } from './command-text.tsx';

export function EmptyServer() {
  const rights = useStore(app, (state) => state.rights);
  const chosen = useStore(app, ({ view }) => view.dataset);
  const datasets = useStore(app, (state) => state.datasets) ?? [];
  const mayWrite = useMay('write');
  const made = datasets.find(({ n }) => n === chosen) ?? datasets[0];
  const patterns = rights?.datasets ?? ['*'];
  const hasToken = rights?.access === 'token';
  const target = (wanted: string): CommandTarget => ({
    origin: location.origin,
    dataset: made?.n ?? exampleDataset(patterns, wanted),
    hasToken,
  });
  return (
    <div class="start">
      <h2>There is no data here yet</h2>
      <p role="status">As soon as a first point has come, this page turns into its trend by itself.</p>
      {mayWrite ? (
        <ol>
          <CreateStep made={made?.n} />
          {hasToken ? <TokenStep /> : null}
          <WriteStep target={target('First')} />
          <SimulateStep target={target('Plant')} />
        </ol>
      ) : (
        <p>
          {rights === undefined ? null : `The role ${rights.role} shows what others write; it writes nothing itself.`}
        </p>
      )}
      <p>
        <a class="button" href="/api/help">
          Read the API
        </a>
      </p>
    </div>
  );
}

function CreateStep({ made }: { readonly made: string | undefined }) {
  return (
    <li>
      <h3>Create a dataset</h3>
      <p>
        {made === undefined
          ? 'It holds tags, and a tag its points in time order. A first write makes dataset and tag as well.'
          : `${made} is there and waits for its first point.`}
      </p>
      <button type="button" class="button primary" onClick={() => openDialog({ kind: 'new-dataset' })}>
        {made === undefined ? 'Create a dataset' : 'Create another dataset'}
      </button>
    </li>
  );
}

function TokenStep() {
  return (
    <li>
      <h3>Put your token into the shell</h3>
      <p>
        The server wants it in the header <code>Authorization</code>. Run this, paste the token, and press Enter; it is
        not shown. The commands below send it.
      </p>
      <CommandText name="token" text={TOKEN_COMMAND} />
    </li>
  );
}

function WriteStep({ target }: { readonly target: CommandTarget }) {
  return (
    <li>
      <h3>Write a value, and read it</h3>
      <p>Write it again with another value, and there is a curve.</p>
      <CommandText name="write" text={formatFirstWrite(target)} />
      <CommandText name="read" text={formatFirstRead(target)} />
    </li>
  );
}

function SimulateStep({ target }: { readonly target: CommandTarget }) {
  const [name, setName] = useState('');
  const way = INSTALL_WAYS.find((one) => one.name === name) ?? (INSTALL_WAYS[0] as InstallWay);
  return (
    <li>
      <h3>Start the simulator</h3>
      <p>A small dairy: a week of history, then live until Ctrl-C. Its configuration is a file to copy and change.</p>
      <label class="way">
        Varve was installed by{' '}
        <select value={way.name} onChange={(event) => setName(event.currentTarget.value)}>
          {INSTALL_WAYS.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <CommandText name="simulator" text={formatSimulate(way, target)} />
    </li>
  );
}
