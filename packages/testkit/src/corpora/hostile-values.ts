// Values that are known to break parsers, walks and searches: very long, very deep, very many, and invalid characters.

export type HostileValue = { name: string; value: unknown };

/** Each has about this many bytes as JSON. */
export function createHostileValues(bytes: number): HostileValue[] {
	const text = (name: string, piece: string): HostileValue => ({ name, value: piece.repeat(Math.ceil(bytes / piece.length)) });
	return [
		...PIECES.map((piece) => text(`${JSON.stringify(piece.slice(0, 24))} repeated`, piece)),
		{ name: 'a very long token', value: `sk-${'ant'}-${'a'.repeat(bytes)}` },
		{ name: 'nested lists', value: nested(Math.min(250, bytes / 2), (inner) => [inner]) },
		{ name: 'nested objects', value: nested(Math.min(250, bytes / 8), (inner) => ({ a: inner })) },
		{ name: 'many keys', value: Object.fromEntries(Array.from({ length: bytes / 16 }, (_, at) => [`key${at}`, at])) },
		{ name: 'many items', value: Array.from({ length: bytes / 4 }, (_, at) => at % 10) },
		{ name: 'many strings', value: Array.from({ length: bytes / 12 }, (_, at) => `token=${at}`) },
		{ name: 'a very long key', value: { ['k'.repeat(bytes)]: 1 } },
		{
			name: '__proto__',
			value: JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":1}'),
		},
		{ name: 'extreme numbers', value: [1e308 * 10, -0, 2 ** 53, Number.MIN_VALUE] },
	];
}

const PIECES = [
	'a',
	' ',
	'\n',
	'"',
	'\\',
	'\u0000',
	'\ud800',
	'\udc00x',
	'\u202e',
	'é',
	'😀',
	'token=',
	'password: ',
	'curl -u a:',
	'eyJa.eyJ',
	'$(',
	'{a,',
	'((((',
	'; ',
	'<<EOF\n',
	'*',
	'../',
	'-----BEGIN PRIVATE KEY-----',
	'*** Update File: a\n',
];

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
	let value: unknown = 'x';
	for (let at = 0; at < depth; at++) value = wrap(value);
	return value;
}

/** A value in every field of the hooks of all agents. */
export function hostilePayloads(hook: string, session: string, value: unknown): Record<string, unknown>[] {
	const call = { hook_event_name: hook, session_id: session, tool_use_id: 't', toolName: 'bash', tool_name: 'Bash' };
	const input = { command: value };
	return [
		{ ...call, tool_input: input, toolArgs: input, input, tool_response: value, prompt: value },
		{ ...call, tool_name: 'apply_patch', tool_input: value, toolArgs: value, input: value, last_assistant_message: value },
		{ ...call, tool_name: value, permission_mode: value, cwd: value, transcript_path: '', extra: value },
	];
}
