// Commands that Copilot takes inside a prompt and that would switch off asking: they do not reach it.

/** By the name behind the slash. Seen: after `/allow-all on` nothing is asked any more, and nothing tells so. */
const SWITCHES: ReadonlySet<string> = new Set([
	'allow-all',
	'yolo',
	'permissions',
	'autopilot',
	'add-dir',
	'sandbox',
	'reset-allowed-tools',
]);

/** A sentence that says what to do, or null for everything else. */
export function refuseSwitch(prompt: string): string | null {
	const name = /^\s*\/([\w-]+)/.exec(prompt)?.[1]?.toLowerCase();
	if (name === undefined || !SWITCHES.has(name)) return null;
	return `/${name} would change what Copilot asks about: change the permission mode of the session instead.`;
}
