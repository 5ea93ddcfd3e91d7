// The health of an MCP server as Claude words it: a sign, then words, then perhaps a reason behind a dash.
import type { ServerStatus } from '@roost/protocol/api/mcp';

const WORDINGS: readonly (readonly [RegExp, ServerStatus])[] = [
	[/^✔ Connected$/, 'connected'],
	[/^✘ Failed to connect/, 'failed'],
	[/^! Needs authentication/, 'needs_login'],
	[/^⏸ Pending approval/, 'needs_approval'],
];

export function toServerStatus(words: string): ServerStatus {
	return WORDINGS.find(([wording]) => wording.test(words))?.[1] ?? 'unknown';
}
