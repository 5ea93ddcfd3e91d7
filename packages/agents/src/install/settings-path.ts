// The one file of a project that Roost writes: Claude's settings for this user and this project, not shared by git.

export const SETTINGS_DIR = '.claude';
export const SETTINGS_FILE = 'settings.local.json';
export const BACKUP_FILE = `${SETTINGS_FILE}.roost-backup`;
/** From the project's directory. */
export const SETTINGS_PATH = `${SETTINGS_DIR}/${SETTINGS_FILE}`;
