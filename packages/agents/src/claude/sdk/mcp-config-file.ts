// MCP servers of one session in a private file: arguments are visible to every user of the machine.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { writePrivateFile } from '@roost/machine/private-file';
import { ok, type Result } from '@roost/protocol/result';
import type { Surroundings } from './read-surroundings.ts';

export type McpConfigFile = {
	readonly path: string | undefined;
	/** Idempotent. */
	remove(): void;
};

export function writeMcpConfigFile(dir: string, mcpServers: Surroundings['mcpServers']): Result<McpConfigFile> {
	if (Object.keys(mcpServers).length === 0) return ok({ path: undefined, remove: () => {} });
	const written = writePrivateFile(dir, { mcpServers }, `${randomUUID()}.json`);
	if (!written.ok) return written;
	const path = written.value;
	return ok({ path, remove: () => rmSync(path, { force: true }) });
}

/** Removes files of earlier runners. The folder must not be in use. */
export function removeMcpConfigFiles(dir: string): void {
	rmSync(dir, { recursive: true, force: true });
}
