// Tests that the gate denies a call on Roost's own home, through the same hook entries that an agent gets.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { HookProbe, OpenProbe, ProbeAnswer } from '@roost/agents/kind/observed-kind';
import { AGENT_KINDS } from '@roost/agents/kinds';
import type { ApiClient } from '@roost/client/api-client';
import type { Home } from '@roost/home/home';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import type { SessionId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import { launchForwarder } from '../launch/launch-observed.ts';
import { fail, fine, type Outcome } from './finding.ts';

type Probe = {
	env: NodeJS.ProcessEnv;
	home: Pick<Home, 'data' | 'run'>;
	launches: Pick<ApiClient['launches'], 'open' | 'end'>;
	record: Pick<ApiClient['record'], 'session'>;
};

const TIMEOUT_MS = 10_000;
const RECORD_TRIES = 30;
const RECORD_WAIT_MS = 100;
const REMEDY =
	'Do not rely on --enforce: run "roost down", then this again; if it stays, report it with "roost feed" of the probe.';

export async function probeGate(probe: Probe): Promise<Outcome[]> {
	const tried = findProbe();
	if (!tried) return [];
	// A project of its own, so that the probe is not listed among the user's sessions.
	const cwd = join(probe.home.data, 'probe');
	mkdirSync(cwd, { recursive: true, mode: 0o700 });
	const opened = await probe.launches.open({ agent: tried.agent, cwd, gate: 'enforce', headless: true, pid: process.pid });
	if (!opened.ok) return [fail(`no launch could be opened: ${opened.error.message}`, REMEDY)];
	try {
		const problem = await findProblem(probe, tried.open, opened.value, cwd);
		return [
			problem === null ? fine('a call on Roost’s own home was denied, and a wrong secret was refused') : fail(problem, REMEDY),
		];
	} finally {
		await probe.launches.end({ id: opened.value.launchId });
	}
}

/** The first agent whose hooks can be tested without the agent. */
function findProbe(): { agent: string; open: OpenProbe } | undefined {
	for (const { known, observed } of AGENT_KINDS) if (observed?.openProbe) return { agent: known.id, open: observed.openProbe };
	return undefined;
}

/** Null if the gate works. */
async function findProblem(probe: Probe, open: OpenProbe, launch: LaunchOpened, cwd: string): Promise<string | null> {
	const { hooks, sessionId } = launch;
	const forwarder = launchForwarder(hooks);
	const opened = open({ hooks, session: sessionId, env: probe.env, forwarder, runDir: probe.home.run, timeoutMs: TIMEOUT_MS });
	if (!opened.ok) return opened.error.message;
	return await tryHooks(probe, opened.value, sessionId, cwd);
}

async function tryHooks(probe: Probe, hooks: HookProbe, session: SessionId, cwd: string): Promise<string | null> {
	const common = { session_id: randomUUID(), transcript_path: '', cwd };
	const begun = await hooks.start({ ...common, source: 'startup' });
	const begunProblem = differs('the beginning of a session was answered with', begun, 'silent');
	if (begunProblem) return begunProblem;
	if (!(await isOnRecord(probe.record, session))) return 'the beginning of a session did not reach the record';
	const call = {
		...common,
		permission_mode: 'default',
		tool_name: 'Read',
		tool_input: { file_path: join(probe.home.data, 'token') },
		tool_use_id: `probe-${randomUUID()}`,
	};
	return (
		differs('a call on Roost’s own home was answered with', await hooks.call(call), 'denied') ??
		differs('a wrong secret was answered with', await hooks.call(call, randomUUID()), 'refused')
	);
}

/** A report is answered when it is queued, and recorded a moment later. */
async function isOnRecord(record: Probe['record'], id: SessionId): Promise<boolean> {
	for (let tries = 0; tries < RECORD_TRIES; tries += 1) {
		if ((await record.session({ id })).ok) return true;
		await delay(RECORD_WAIT_MS);
	}
	return false;
}

function differs(what: string, reported: Result<ProbeAnswer>, wanted: ProbeAnswer['type']): string | null {
	if (!reported.ok) return reported.error.message;
	if (reported.value.type === wanted) return null;
	return `${what} ${SAID[reported.value.type]}${'text' in reported.value ? ` (${reported.value.text})` : ''}`;
}

const SAID: Record<ProbeAnswer['type'], string> = {
	silent: 'silence, as if it were allowed',
	refused: 'a refusal of the secret',
	denied: 'a denial',
	other: 'something that the agent would not understand',
};
