// Small pictures of buttons, drawn in the colour of the text.

const PATHS = {
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  left: 'M10 3L5 8l5 5',
  right: 'M6 3l5 5-5 5',
  down: 'M4 6l4 4 4-4',
  zoomIn: 'M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.5 10.5L14 14M7 5v4M5 7h4',
  zoomOut: 'M7 2.5a4.5 4.5 0 100 9 4.5 4.5 0 000-9zM10.5 10.5L14 14M5 7h4',
  back: 'M6 4L3 7l3 3M3 7h6a4 4 0 010 8H7',
  info: 'M8 2a6 6 0 100 12A6 6 0 008 2zM8 7v4M8 4.8v.4',
  menu: 'M2 4h12M2 8h12M2 12h12',
  sun: 'M8 5a3 3 0 100 6 3 3 0 000-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 10A6 6 0 016 3a6 6 0 107 7z',
  screen: 'M2 3h12v8H2zM6 14h4M8 11v3',
  up: 'M4 10l4-4 4 4',
  user: 'M8 2.5a2.8 2.8 0 100 5.6 2.800 2.800 0 000-5.6zM2.5 14a5.5 5.5 0 0111 0',
  scale: 'M8 2v12M5.5 4.500L8 2l2.500 2.500M5.500 11.500L8 14l2.500-2.500M2 8h3M11 8h3',
  pen: 'M3 13l.7-2.8L10.500 3.400l2.100 2.100L5.800 12.300zM9.200 4.700l2.100 2.100',
  gear: 'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 3v3M5.5 10v3',
  calendar: 'M2.5 4h11v9.5h-11zM2.5 7h11M5.500 2.500v3M10.500 2.500v3',
  star: 'M8 2l1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** Three layers of sediment. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path class="layer-1" d="M2 6.5c3.5-2.8 6.5 2.400 10 0s6.5-2.400 10 0" />
      <path class="layer-2" d="M2 12c3.5-2 6.5 2 10 0s6.5-2 10 0" />
      <path class="layer-3" d="M2 17.5c3.5-2.400 6.5 1.600 10 0s6.5-2 10 0" />
    </svg>
  );
}
