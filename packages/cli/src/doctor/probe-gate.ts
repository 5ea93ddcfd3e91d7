// Proves that the gate denies: a call that touches Roost's own home, made through the very hook entries that claude would get.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type FiredEntry, firedSettings, fireEntry, type Told } from '@roost/agents/claude/hooks/fire-entry';
import { hookEnvironment } from '@roost/agents/claude/launch';
import type { ApiClient } from '@roost/client/api-client';
import type { Home } from '@roost/home/home';
import { newShortId } from '@roost/home/short-id';
import { writePrivateFile } from '@roost/machine/private-file';
import type { LaunchOpened } from '@roost/protocol/api/launches';
import { AppError } from '@roost/protocol/app-error';
import type { SessionId } from '@roost/protocol/ids';
import { err, ok, type Result } from '@roost/protocol/result';
import { launchHooks } from '../launch/launch-settings.ts';
import { fail, fine, type Said } from './finding.ts';

export type Probe = {
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

export async function probeGate(probe: Probe): Promise<Said[]> {
	// A project of its own: the probe is on record like everything else, but among no sessions of the user's projects.
	const cwd = join(probe.home.data, 'probe');
	mkdirSync(cwd, { recursive: true, mode: 0o700 });
	const opened = await probe.launches.open({ agent: 'claude', cwd, gate: 'enforce', headless: true, pid: process.pid });
	if (!opened.ok) return [fail(`no launch could be opened: ${opened.error.message}`, REMEDY)];
	try {
		const problem = await findProblem(probe, opened.value, cwd);
		return [
			problem === null ? fine('a call on Roost’s own home was denied, and a wrong secret was refused') : fail(problem, REMEDY),
		];
	} finally {
		await probe.launches.end({ id: opened.value.launchId });
	}
}

/** Null where everything went as it must. */
async function findProblem(probe: Probe, launch: LaunchOpened, cwd: string): Promise<string | null> {
	const settings = await writtenSettings(probe, launch);
	if (!settings.ok) return settings.error.message;
	const { start, gate, env } = settings.value;
	const common = { session_id: randomUUID(), transcript_path: '', cwd };
	const begun = await fireEntry(start, {
		env,
		payload: { ...common, hook_event_name: 'SessionStart', source: 'startup' },
		timeoutMs: TIMEOUT_MS,
	});
	const begunProblem = differs('the beginning of a session was answered with', begun, 'silent');
	if (begunProblem) return begunProblem;
	if (!(await isOnRecord(probe.record, launch.sessionId))) return 'the beginning of a session did not reach the record';
	const payload = {
		...common,
		hook_event_name: 'PreToolUse',
		permission_mode: 'default',
		tool_name: 'Read',
		tool_input: { file_path: join(probe.home.data, 'token') },
		tool_use_id: `probe-${randomUUID()}`,
	};
	const stranger = { ...env, ROOST_HOOK_SECRET: randomUUID() };
	return (
		differs(
			'a call on Roost’s own home was answered with',
			await fireEntry(gate, { env, payload, timeoutMs: TIMEOUT_MS }),
			'denied',
		) ??
		differs(
			'a wrong secret was answered with',
			await fireEntry(gate, { env: stranger, payload, timeoutMs: TIMEOUT_MS }),
			'refused',
		)
	);
}

/** A report is answered when it is in the inbox: on record it is a moment later. */
async function isOnRecord(record: Probe['record'], id: SessionId): Promise<boolean> {
	for (let tries = 0; tries < RECORD_TRIES; tries += 1) {
		if ((await record.session({ id })).ok) return true;
		await delay(RECORD_WAIT_MS);
	}
	return false;
}

type Entries = { start: FiredEntry; gate: FiredEntry; env: NodeJS.ProcessEnv };

/** Written and read back, so that it is the file that is tried. */
async function writtenSettings({ env, home }: Probe, { hooks, sessionId }: LaunchOpened): Promise<Result<Entries>> {
	const written = writePrivateFile(home.run, launchHooks(hooks, 'enforce', env), `claude-${newShortId()}.json`);
	if (!written.ok) return written;
	try {
		const settings = firedSettings.parse(JSON.parse(readFileSync(written.value, 'utf8')));
		const [start, gate] = ['SessionStart', 'PreToolUse'].map((event) => settings.hooks[event]?.[0].hooks[0]);
		if (!start || !gate) return err(new AppError('internal', 'the settings of a launch lack the entries that gate it'));
		const told = hookEnvironment({ ...hooks, gate: 'enforce', session: sessionId });
		return ok({ start, gate, env: { ...env, ...told, ...settings.env } });
	} finally {
		rmSync(written.value, { force: true });
	}
}

function differs(what: string, told: Result<Told>, wanted: Told['type']): string | null {
	if (!told.ok) return told.error.message;
	if (told.value.type === wanted) return null;
	return `${what} ${SAID[told.value.type]}${'text' in told.value ? ` (${told.value.text})` : ''}`;
}

const SAID: Record<Told['type'], string> = {
	silent: 'silence, as if it were allowed',
	refused: 'a refusal of the secret',
	denied: 'a denial',
	other: 'something that claude would not understand',
};
