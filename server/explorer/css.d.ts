// Style sheets are imported for their effect only: the build takes them out into a file.

declare module '*.css';
