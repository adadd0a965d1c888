// A labelled choice of one among several.

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string])[];
  readonly onValue: (value: T) => void;
  readonly hint?: string;
}

export function Choice<T extends string>({ label, value, options, onValue, hint }: ChoiceProps<T>) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onValue(event.currentTarget.value as T)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
      {hint === undefined ? null : <small>{hint}</small>}
    </label>
  );
}
