// `claude mcp get`, which prints variables and headers with their values: only their names leave this file.
import type { McpServerDetail } from '@roost/protocol/api/mcp';
import { toServerStatus } from './mcp-status.ts';

export function parseServerDetail(name: string, stdout: string): McpServerDetail {
	const fields = new Map<string, string>();
	const names = { Environment: new Set<string>(), Headers: new Set<string>() };
	const unread: string[] = [];
	let secret: keyof typeof names | undefined;
	for (const line of stdout.split('\n').map((each) => each.trimEnd())) {
		const [, label, value = ''] = FIELD.exec(line) ?? [];
		if (label === 'Environment' || label === 'Headers') secret = label;
		else if (label !== undefined) {
			secret = undefined;
			fields.set(label, value);
		} else if (secret !== undefined && !FOOTER.test(line)) noteName(names[secret], line);
		else if (line !== '' && line !== `${name}:` && !FOOTER.test(line)) unread.push(line);
	}
	return { name, ...describe(fields), env: [...names.Environment], headers: [...names.Headers], unread: unread.join('\n') };
}

/** Only labels that are known end a list of secrets: a value may look like any other. */
const FIELD = /^ {2}(Scope|Status|Issue|Type|URL|Command|Args|Environment|Headers):(?: (.*))?$/;
const FOOTER = /^To remove this server, run: /;

/** A line that is not of the expected form may be the rest of a value: it is kept back. */
function noteName(names: Set<string>, line: string): void {
	const found = /^ {4}([^\s=:]+)(?:=|: )/.exec(line)?.[1];
	if (found !== undefined) names.add(found);
}

function describe(fields: Map<string, string>): Pick<McpServerDetail, 'transport' | 'target' | 'status' | 'says' | 'scope'> {
	const words = fields.get('Status') ?? '';
	const issue = fields.get('Issue');
	return {
		transport: toTransport(fields.get('Type')),
		target: fields.get('URL') ?? [fields.get('Command'), fields.get('Args')].filter(Boolean).join(' '),
		status: toServerStatus(words),
		says: issue === undefined ? words : `${words} — ${issue}`,
		scope: fields.get('Scope'),
	};
}

function toTransport(type: string | undefined): McpServerDetail['transport'] {
	return type === 'stdio' || type === 'http' || type === 'sse' ? type : 'unknown';
}
