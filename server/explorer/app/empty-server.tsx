// What a server without a point shows: the ways to the first curve that the role has. The first point puts the trend in its place.

import { useState } from 'preact/hooks';
import { CommandText } from '../export/command-text.tsx';
import {
  type CommandTarget,
  exampleDataset,
  formatFirstRead,
  formatFirstWrite,
  formatImport,
  formatSimulate,
  INSTALL_WAYS,
  type InstallWay,
  TOKEN_COMMAND,
} from '../model/export/first-commands.ts';
import { openDialog } from '../state/actions.ts';
import { app } from '../state/app-state.ts';
import { useStore } from '../state/store.ts';
import { useMay } from '../user/account.ts';

export function EmptyServer() {
  const rights = useStore(app, (state) => state.rights);
  const chosen = useStore(app, ({ view }) => view.dataset);
  const datasets = useStore(app, (state) => state.datasets) ?? [];
  const mayWrite = useMay('write');
  const [wayName, setWayName] = useState('');
  const way = INSTALL_WAYS.find(({ name }) => name === wayName) ?? (INSTALL_WAYS[0] as InstallWay);
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
          <WayStep way={way} choose={setWayName} />
          <SimulateStep way={way} target={target('Plant')} />
          <ImportStep way={way} target={target('History')} />
          <SourceStep />
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

interface WayProps {
  readonly way: InstallWay;
  readonly choose: (name: string) => void;
}

function WayStep({ way, choose }: WayProps) {
  return (
    <li>
      <h3>Say how Varve was installed</h3>
      <p>The commands below are written for it, to be run in the folder that it was started from.</p>
      <label class="way">
        Varve was installed by{' '}
        <select value={way.name} onChange={(event) => choose(event.currentTarget.value)}>
          {INSTALL_WAYS.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
    </li>
  );
}

interface StepProps {
  readonly way: InstallWay;
  readonly target: CommandTarget;
}

function SimulateStep({ way, target }: StepProps) {
  return (
    <li>
      <h3>Start the simulator</h3>
      <p>A small dairy: a week of history, then live until Ctrl-C. Its configuration is a file to copy and change.</p>
      <CommandText name="simulator" text={formatSimulate(way, target)} />
    </li>
  );
}

function ImportStep({ way, target }: StepProps) {
  return (
    <li>
      <h3>Import a file</h3>
      <p>
        CSV with the header <code>tag,time,value</code>, or <code>time</code> and a column for each tag; times in ISO
        8601, oldest first. All of it is checked before anything is sent. Put your file in place of{' '}
        <code>history.csv</code>.
      </p>
      <CommandText name="import" text={formatImport(way, target)} />
    </li>
  );
}

function SourceStep() {
  return (
    <li>
      <h3>Connect a source</h3>
      <p>Servers of OPC UA, brokers of MQTT and clients of line protocol bring points by themselves.</p>
      <button type="button" class="button" onClick={() => openDialog({ kind: 'sources' })}>
        See how
      </button>
    </li>
  );
}
