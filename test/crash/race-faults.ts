// Engines that do not keep their word, for the negative controls of the race campaign.

import type { DatasetDefinition, Engine } from '../../engine/index.ts';

export type RaceFault =
  | 'none'
  /** A deletion of a dataset is answered before it is done. */
  | 'early-answers'
  /** Points are purged at half the age. */
  | 'eager-purge';

export function withFault(engine: Engine, fault: RaceFault): Engine {
  if (fault === 'none') return engine;
  const faulty = fault === 'early-answers' ? earlyAnswers(engine) : eagerPurge(engine);
  return new Proxy(engine, {
    get: (_, name) => {
      const method = (faulty[name as keyof Engine] ?? engine[name as keyof Engine]) as () => unknown;
      return method.bind(engine);
    },
  });
}

function earlyAnswers(engine: Engine): Partial<Engine> {
  return {
    deleteDataset: async (name) => {
      if (engine.hasDataset(name)) void engine.deleteDataset(name).catch(() => undefined);
      else await engine.deleteDataset(name);
    },
  };
}

function eagerPurge(engine: Engine): Partial<Engine> {
  const sooner = (definition: DatasetDefinition) => ({ ...definition, purgeAgeDays: definition.purgeAgeDays / 2 });
  return {
    createDataset: (definition) => engine.createDataset(sooner(definition)),
    updateDataset: (definition) => engine.updateDataset(sooner(definition)),
  };
}
