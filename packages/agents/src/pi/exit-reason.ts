// Why Pi did not start or exited, as a sentence that says what to do.
import type { ProcessEnd } from '@roost/machine/line-process';

/** The oldest tested version. */
export const OLDEST_VERSION = '0.87.1';

const INSTALL = 'npm install -g @earendil-works/pi-coding-agent';

export function toExitReason(end: ProcessEnd, complaint: string, program: string): string {
	if (end.type === 'not-started')
		return `Pi cannot be started (${end.message}): install it with "${INSTALL}", or name its program as agents.pi.command.`;
	const known = KNOWN.find(({ sign }) => sign.test(complaint));
	if (known) return known.sentence(lastLine(complaint));
	const how = end.signal === null ? `exit code ${end.code}` : end.signal;
	const said = lastLine(complaint);
	return said === undefined ? `Pi ended (${how}).` : `Pi ended: ${asSentence(said)} (${how}, ${program})`;
}

export function notPiMessage(program: string): string {
	return `${program} does not speak like Pi: name the program of Pi as agents.pi.command.`;
}

export function refuseVersion(version: string | undefined, program: string): string | null {
	if (version === undefined)
		return `The version of Pi at ${program} is unknown, so it was not started. Set agents.pi.command in config.yaml to the program of Pi itself.`;
	if (version.localeCompare(OLDEST_VERSION, 'en', { numeric: true }) >= 0) return null;
	return `Pi ${version} is too old for Roost, which needs ${OLDEST_VERSION} or newer: update it with "${INSTALL}".`;
}

const KNOWN: readonly { sign: RegExp; sentence: (said: string | undefined) => string }[] = [
	{
		sign: /node:module' does not provide an export|enableCompileCache/,
		sentence: () => 'Pi needs Node 22.19 or newer: put a newer node first on the PATH.',
	},
	{
		sign: /Unknown option: /,
		sentence: (said) => `Pi is too old for Roost (${said ?? ''}): update it with "${INSTALL}".`,
	},
	{
		sign: /Failed to load extension/,
		sentence: (said) => `Roost's gate could not be loaded into Pi, so nothing was started: ${said ?? ''}`,
	},
];

/** Without Pi's own hints and warnings. */
function lastLine(complaint: string): string | undefined {
	const lines = complaint.split('\n').map((line) => line.trim());
	return lines.findLast((line) => line !== '' && !/^(?:Hint|Warning):/.test(line));
}

export function asSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}
