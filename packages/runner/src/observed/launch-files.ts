// Data of launches that outlive this runner, for the next one: one file each in the run directory, without the secret.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_AGENT } from '@roost/agents/base/agent-names';
import { UNSTATED_ASK_MS } from '@roost/agents/base/ask-timeouts';
import { readPrivateJson, replacePrivateFile } from '@roost/machine/private-file';
import { AppError } from '@roost/protocol/app-error';
import { projectId, sessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';

const keptLaunch = z.object({
	id: z.string().regex(/^[a-z0-9]{1,40}$/),
	/** Missing in files of older runners, which knew only one agent. */
	agent: z.string().default(DEFAULT_AGENT),
	/** Of the secret that its agent holds. */
	digest: z.string().regex(/^[0-9a-f]{64}$/),
	gate: z.enum(['observe', 'enforce']),
	project: z.object({ id: projectId, path: z.string().min(1) }),
	/** The session it begins, if it begins one, and the one it reported for last. */
	first: sessionId,
	current: sessionId.nullable(),
	/** The process that waits for the agent. */
	waiter: z.object({ pid: z.int().positive(), startTime: z.string().min(1) }),
	/** Where its agent reports to. */
	httpUrl: z.string().min(1),
	/** How long its hooks wait for an answer; files of an older runner do not say. */
	askMs: z.number().positive().default(UNSTATED_ASK_MS),
});
export type KeptLaunch = z.infer<typeof keptLaunch>;

export type LaunchFiles = {
	keep(launch: KeptLaunch): Result<void>;
	forget(id: string): Result<void>;
	/** Files that say nothing readable are removed. */
	readAll(): Result<KeptLaunch[]>;
};

const NAME = /^launch-([a-z0-9]{1,40})\.json$/;

export function createLaunchFiles(runDir: string): LaunchFiles {
	const pathOf = (id: string) => join(runDir, `launch-${id}.json`);

	function forget(id: string): Result<void> {
		try {
			rmSync(pathOf(id), { force: true });
			return ok(undefined);
		} catch (cause) {
			return err(new AppError('unsafe_path', `${pathOf(id)} cannot be removed: remove it by hand.`, { cause }));
		}
	}

	function read(id: string): KeptLaunch | null {
		const parsed = keptLaunch.safeParse(readPrivateJson(pathOf(id))).data;
		return parsed?.id === id ? parsed : null;
	}

	return {
		keep: (launch) => replacePrivateFile(pathOf(launch.id), `${JSON.stringify(launch)}\n`),
		forget,
		readAll() {
			const kept: KeptLaunch[] = [];
			for (const id of namesIn(runDir)) {
				const launch = read(id);
				if (launch) kept.push(launch);
				else {
					const forgotten = forget(id);
					if (!forgotten.ok) return forgotten;
				}
			}
			return ok(kept);
		},
	};
}

function namesIn(runDir: string): string[] {
	return readdirSync(runDir).flatMap((name) => NAME.exec(name)?.[1] ?? []);
}
