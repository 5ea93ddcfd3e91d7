// The MCP servers of one session in a file of this user alone: as an argument, everybody on the machine would see their secrets.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { writePrivateFile } from '@roost/machine/private-file';
import { ok, type Result } from '@roost/protocol/result';
import type { Surroundings } from './read-surroundings.ts';

export type McpConfigFile = {
	/** Undefined where there are no servers. */
	readonly path: string | undefined;
	/** When the session is over; any number of times. */
	remove(): void;
};

export function writeMcpConfigFile(dir: string, mcpServers: Surroundings['mcpServers']): Result<McpConfigFile> {
	if (Object.keys(mcpServers).length === 0) return ok({ path: undefined, remove: () => {} });
	const written = writePrivateFile(dir, { mcpServers }, `${randomUUID()}.json`);
	if (!written.ok) return written;
	const path = written.value;
	return ok({ path, remove: () => rmSync(path, { force: true }) });
}

/** What sessions left behind that ended with their runner. Nobody may be using the folder. */
export function removeMcpConfigFiles(dir: string): void {
	rmSync(dir, { recursive: true, force: true });
}
