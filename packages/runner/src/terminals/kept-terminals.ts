// What the next runner must know of a terminal that outlives this one: a file for each in the run directory.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { terminalSize } from '@roost/protocol/api/terminals';
import { sessionId, type TerminalId, terminalId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import { z } from 'zod';

const keptTerminal = z.object({
	id: terminalId,
	sessionId: sessionId.nullable(),
	title: z.string(),
	cwd: z.string().min(1),
	size: terminalSize,
	/** When its recording began, where there is one. */
	recordedSince: z.number().optional(),
});
export type KeptTerminal = z.infer<typeof keptTerminal>;

export type KeptTerminals = {
	keep(terminal: KeptTerminal): Result<void>;
	forget(id: TerminalId): void;
	/** Files that say nothing readable are removed. */
	readAll(): KeptTerminal[];
};

const NAME = /^terminal-([a-z0-9-]{1,32})\.json$/;

export function createKeptTerminals(runDir: string): KeptTerminals {
	const pathOf = (id: string) => join(runDir, `terminal-${id}.json`);

	function read(id: string | undefined): KeptTerminal | null {
		if (id === undefined) return null;
		const found = keptTerminal.safeParse(readPrivateJson(pathOf(id))).data;
		if (found?.id === id) return found;
		rmSync(pathOf(id), { force: true });
		return null;
	}

	return {
		keep: (terminal) => replacePrivateFile(pathOf(terminal.id), `${JSON.stringify(terminal)}\n`),
		forget: (id) => rmSync(pathOf(id), { force: true }),
		readAll: () => readdirSync(runDir).flatMap((name) => read(NAME.exec(name)?.[1]) ?? []),
	};
}
