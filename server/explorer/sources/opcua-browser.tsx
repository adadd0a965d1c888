// Trying an endpoint of OPC UA: what it offers, its variables with present values, and the file that collects those that are ticked.

import { useState } from 'preact/hooks';
import { type TrialResult, tryEndpoint } from '../api/opcua.ts';
import { Choice } from '../controls/choice.tsx';
import { Field } from '../controls/field.tsx';
import { CommandText } from '../export/command-text.tsx';
import { saveAs } from '../export/export.ts';
import { formatOpcUaFile, type Pick } from './opcua-file.ts';
import { OpcUaTree } from './opcua-tree.tsx';

const POLICIES = ['None', 'Basic256Sha256', 'Aes128_Sha256_RsaOaep', 'Aes256_Sha256_RsaPss'].map(
  (name) => [name, name] as const,
);

export function OpcUaBrowser() {
  const [endpoint, setEndpoint] = useState('opc.tcp://');
  const [securityPolicy, setPolicy] = useState('None');
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [isTrying, setTrying] = useState(false);
  /** What was tried, and a number that is another one each time. */
  const [tried, setTried] = useState<{ endpoint: string; result: TrialResult; turn: number }>();
  const [fault, setFault] = useState<string>();
  const [picks, setPicks] = useState<ReadonlyMap<string, Pick>>(new Map());
  const attempt = async (event: Event): Promise<void> => {
    event.preventDefault();
    setTrying(true);
    setFault(undefined);
    try {
      const login = user === '' ? {} : { user, password };
      const result = await tryEndpoint({ endpoint: endpoint.trim(), securityPolicy, ...login });
      setTried({ endpoint: endpoint.trim(), result, turn: (tried?.turn ?? 0) + 1 });
      setPicks(new Map());
    } catch (error) {
      setTried(undefined);
      setFault(error instanceof Error ? error.message : String(error));
    } finally {
      setTrying(false);
    }
  };
  const pick = (one: Pick, isPicked: boolean): void => {
    const next = new Map(picks);
    if (isPicked) next.set(one.id, one);
    else next.delete(one.id);
    setPicks(next);
  };
  return (
    <>
      <form class="form" onSubmit={(event) => void attempt(event)}>
        <Field label="Endpoint" value={endpoint} onValue={setEndpoint} hint="such as opc.tcp://plc.example:4840" />
        <Choice label="Security policy" value={securityPolicy} options={POLICIES} onValue={setPolicy} />
        <div class="field-row limits">
          <Field label="User, if any" value={user} onValue={setUser} />
          <Field label="Password" type="password" value={password} onValue={setPassword} />
        </div>
        <div class="dialog-foot">
          <button type="submit" class="button primary" disabled={isTrying}>
            {isTrying ? 'Trying…' : 'Try it'}
          </button>
        </div>
      </form>
      <div role="status">
        {fault === undefined ? null : <p class="form-fault">{fault}</p>}
        {tried === undefined ? null : <Words result={tried.result} />}
      </div>
      {tried?.result.isOpen ? (
        <>
          <OpcUaTree key={tried.turn} picks={picks} onPick={pick} />
          <FilePart parts={{ endpoint: tried.endpoint, securityPolicy, user }} picks={[...picks.values()]} />
        </>
      ) : null}
    </>
  );
}

function Words({ result }: { readonly result: TrialResult }) {
  const { offers, isOpen, reason } = result;
  const offered = offers.map(({ securityPolicy, securityMode, users }) =>
    securityPolicy === 'None'
      ? `None (${users.join(', ')})`
      : `${securityPolicy} with ${securityMode} (${users.join(', ')})`,
  );
  return (
    <>
      <p class={isOpen ? undefined : 'form-fault'}>
        {isOpen ? 'It is open. Tick what is to be collected.' : `It is not open: ${reason ?? ''}`}
      </p>
      {offered.length === 0 ? null : <p class="muted">It offers {[...new Set(offered)].join('; ')}.</p>}
    </>
  );
}

interface FilePartProps {
  readonly parts: { readonly endpoint: string; readonly securityPolicy: string; readonly user: string };
  readonly picks: readonly Pick[];
}

function FilePart({ parts, picks }: FilePartProps) {
  const [dataset, setDataset] = useState('plant');
  if (picks.length === 0) return null;
  const text = formatOpcUaFile({ ...parts, dataset: dataset.trim() || 'plant' }, picks);
  return (
    <section aria-label="The file">
      <h3>The file</h3>
      <Field label="Dataset" value={dataset} onValue={setDataset} hint="made where it is missing" />
      <CommandText text={text} name="opcua.json" />
      <p>
        Save it where the server or the collector runs, and start <code>varve serve --opcua opcua.json</code> or{' '}
        <code>varve collect opcua.json</code>; <a href="/docs/opcua">the rest</a> of what can be in it.
      </p>
      <div class="dialog-foot">
        <button
          type="button"
          class="button primary"
          onClick={() => saveAs(new Blob([text], { type: 'application/json' }), 'opcua.json')}
        >
          Save opcua.json
        </button>
      </div>
    </section>
  );
}
