// Trust in MCP servers that lasts as long as a test.

import type { McpTrust, TrustedServer } from '@roost/home/mcp-trust';
import { ok } from '@roost/protocol/result';

export function createMemoryMcpTrust(): McpTrust {
	const trusted = new Map<string, TrustedServer>();
	const key = (project: string, name: string) => JSON.stringify([project, name]);
	return {
		list: (project) => ok([...trusted.values()].filter((each) => each.project === project)),
		trust(project, name, hash) {
			trusted.set(key(project, name), { project, name, hash });
			return ok(undefined);
		},
		untrust: (project, name) => ok(trusted.delete(key(project, name))),
		isTrusted: (project, name, hash) => trusted.get(key(project, name))?.hash === hash,
	};
}
