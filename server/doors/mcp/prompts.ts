// Prompts for the questions that people in a plant ask most.

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

export interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** What the model is asked. */
  text(given: Readonly<Record<string, string>>): string;
}

const dataset = { name: 'dataset', description: 'Name of the dataset.', required: true };

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'what_happened',
    title: 'What happened around a time?',
    description: 'Looks for what changed in a dataset around a time.',
    arguments: [dataset, { name: 'time', description: 'The time, ISO 8601.', required: true }],
    text: ({ dataset: name, time }) =>
      `What happened in the dataset "${name}" around ${time}? List its tags, compare the statistics of the hour before that time with those of the hour behind it, look closer with read_plot at the tags that differ most, and at read_states for states and read_quality_history for bad quality. Tell what changed first, with times, and what may have followed from it. Say what you did not look at.`,
  },
  {
    name: 'compare_days',
    title: 'Compare two days',
    description: 'Compares tags of a dataset on two days.',
    arguments: [
      dataset,
      { name: 'tags', description: 'Names of tags, with commas between them.', required: true },
      { name: 'first', description: 'A day such as 2026-01-31.', required: true },
      { name: 'second', description: 'Another day.', required: true },
    ],
    text: ({ dataset: name, tags, first, second }) =>
      `Compare the tags ${tags} of the dataset "${name}" on ${first} and on ${second}: read_aggregates with TimeAverage, Minimum, Maximum and PercentGood by hours for both days, side by side in a table. Say where they differ and by how much, and where quality makes a comparison doubtful.`,
  },
  {
    name: 'bad_tags',
    title: 'Which tags are bad?',
    description: 'Finds the tags of a dataset that have bad quality, gaps, or do not move.',
    arguments: [dataset, { name: 'start', description: 'Since when, such as -24h.', required: false }],
    text: ({ dataset: name, start = '-24h' }) =>
      `Which tags of the dataset "${name}" cannot be trusted since ${start}? Go through its tags page by page with read_statistics: list those with a low percentGood, a long longestGap, no points, or a minimum equal to the maximum. For the worst ones say with read_quality_history since when.`,
  },
];
