// Where saved views lie.

/** In the data folder, and in a backup; no dataset's folder begins with a dot. */
export const VIEWS_FOLDER = '.views';
