// The MCP servers of one session in a file of this user alone: as an argument, everybody on the machine would see their secrets.
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { ensurePrivateDir } from '../../hooks/private-dir.ts';
import type { Surroundings } from './surroundings.ts';

export type McpConfigFile = {
	/** Undefined where there are no servers. */
	readonly path: string | undefined;
	/** When the session is over; any number of times. */
	remove(): void;
};

export function writeMcpConfigFile(dir: string, mcpServers: Surroundings['mcpServers']): Result<McpConfigFile> {
	if (Object.keys(mcpServers).length === 0) return ok({ path: undefined, remove: () => {} });
	const safe = ensurePrivateDir(dir);
	if (!safe.ok) return safe;
	const path = join(safe.value, `${randomUUID()}.json`);
	const remove = () => rmSync(path, { force: true });
	try {
		writeFileSync(path, JSON.stringify({ mcpServers }), { flag: 'wx', mode: 0o600 });
		return ok({ path, remove });
	} catch (cause) {
		remove();
		return err(
			new AppError('cannot_start', `The MCP servers of this session cannot be written to ${path}: make room there.`, { cause }),
		);
	}
}

/** What sessions left behind that ended with their runner. Nobody may be using the folder. */
export function removeMcpConfigFiles(dir: string): void {
	rmSync(dir, { recursive: true, force: true });
}
