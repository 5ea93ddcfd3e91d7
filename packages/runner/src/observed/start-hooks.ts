// The hook server at a remembered port, so that agents that outlive a runner find the next one there.
import { join } from 'node:path';
import { type HookServer, type HookServerDeps, startHookServer } from '@roost/agents/hooks/server';
import { readPrivateFile, replacePrivateFile } from '@roost/machine/private-file';
import type { Result } from '@roost/protocol/result';

/** On the port of the previous runner, so that its agents find this one; on another if that port is taken. */
export async function startHooks(deps: HookServerDeps): Promise<Result<HookServer>> {
	const server = await startHookServer({ ...deps, port: readHookPort(deps.runDir) });
	if (!server.ok) return server;
	const kept = keepHookPort(deps.runDir, server.value.httpUrl);
	if (kept.ok) return server;
	await server.value.close();
	return kept;
}

/** Undefined where none is known: any port will do. */
function readHookPort(runDir: string): number | undefined {
	const text = readPrivateFile(pathIn(runDir));
	const port = text.ok ? Number(text.value ?? '') : 0;
	return Number.isSafeInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

function keepHookPort(runDir: string, httpUrl: string): Result<void> {
	return replacePrivateFile(pathIn(runDir), `${new URL(httpUrl).port}\n`);
}

function pathIn(runDir: string): string {
	return join(runDir, 'hook-port');
}
