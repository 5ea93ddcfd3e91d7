// Finds the real `claude` that comes with the Agent SDK, so that tests never run the one of the machine.
import { findEmbeddedClaude, type Platform } from '@roost/agents/claude/cli/embedded-claude';

export type ClaudeBinary = { readonly found: true; readonly path: string } | { readonly found: false; readonly whatToDo: string };

export function findClaudeBinary(platform: Platform = { os: process.platform, arch: process.arch }): ClaudeBinary {
	const path = findEmbeddedClaude(platform);
	if (path !== null) return { found: true, path };
	const name = `@anthropic-ai/claude-agent-sdk-${platform.os}-${platform.arch}`;
	return { found: false, whatToDo: `${name} is not installed: run \`npm ci\` without --omit=optional or --omit=dev.` };
}
