// Pi, driven over its RPC: one process per session, with Roost's gate loaded into it.
import { realpath } from 'node:fs/promises';
import type { DrivableAgent, DrivenRequest, OutgoingPrompt } from '@roost/core/runtime/connection';
import { type LineProcess, type ProcessEnd, startLineProcess } from '@roost/machine/line-process';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { drivenCapabilities } from '../base/capabilities.ts';
import { parseBounded } from '../hooks/bounded-json.ts';
import type { PiConfig } from '../kind/agent-kind.ts';
import { createLiveDrivable, type DriveDeps, type LiveContext, type Opened, type Wire } from '../live/live-agent.ts';
import { createPiAsks } from './asks.ts';
import { createPiEvents } from './events.ts';
import { FORK_COMMAND, STATUS_KEY } from './extension/shared.ts';
import { describeLeftOut } from './ignored-files.ts';
import { PI_USUAL_KEY } from './pi-environment.ts';
import { type PiRecord, parseRecord } from './records.ts';
import { createPiRpc } from './rpc.ts';
import { createHasPrompt, createSessionUsage, sessionFolder, sumSessionFile } from './session-files.ts';
import { type Beginning, findBeginning, refuseRequest, toStartArgv } from './start-argv.ts';
import { createPiTurn } from './turn.ts';

type PiWireDeps = {
	command: readonly [string, ...string[]];
	env: Readonly<Record<string, string>>;
	config: PiConfig;
	extensions: readonly string[];
};

/** Longer than the caller's own timeout, which reports it. */
const READY_MS = 120_000;
/** Beyond this the program is not Pi. */
const MAX_GARBAGE = 100;

const ready = z.object({ type: z.literal('ready'), version: z.string().optional(), cwd: z.string() });
const answer = z.object({ type: z.literal('answer'), entryId: z.string() });
const state = z.object({
	sessionId: z.guid(),
	sessionFile: z.string().optional(),
	model: z.object({ id: z.string(), provider: z.string() }).optional(),
});

function connectPi(live: LiveContext, request: DrivenRequest, deps: PiWireDeps): Wire {
	const { env, config } = deps;
	const place = { cwd: request.cwd, home: env.HOME };
	const usage = createSessionUsage();
	const rpc = createPiRpc({ write: (line) => child?.write(line), timers: live.timers });
	const events = createPiEvents({ live, place, usage, breach });
	const asks = createPiAsks({ live, rpc, place, onAnswer: events.answered });
	const turn = createPiTurn({ live, rpc, events, asks });
	let child: LineProcess | undefined;
	let gate: z.infer<typeof ready> | undefined;
	let isOpen = false;
	let garbage = 0;

	function receive(record: PiRecord): void {
		if (record.type === 'garbage' && ++garbage === MAX_GARBAGE && !isOpen) rpc.close(notPiMessage(deps.command[0]));
		if (record.type === 'reply') rpc.receive(record);
		else if (record.type === 'dialog') asks.receive(record.dialog);
		else if (record.type === 'status' && record.key === STATUS_KEY) receiveGate(parseBounded(record.text));
		else {
			events.receive(record);
			turn.receive(record);
		}
	}

	function receiveGate(status: unknown): void {
		gate = ready.safeParse(status).data ?? gate;
		const answered = answer.safeParse(status);
		if (answered.success) events.answered(answered.data.entryId);
	}

	/** After a bypass nothing that this process does can be trusted. */
	function breach(tool: string): void {
		live.finish(`Pi ran ${tool} without asking Roost's gate, so it was ended: update Roost, or report this.`);
	}

	function start(beginning: Beginning, sessionDir: string): LineProcess {
		const argv = toStartArgv(request, beginning, { sessionDir, config, extensions: deps.extensions });
		return startLineProcess({
			argv: [...deps.command, ...argv],
			cwd: request.cwd,
			env,
			timers: live.timers,
			onSpawned: request.onSpawned,
			onLine: (line) => receive(parseRecord(line)),
			onOversize: (head) => receive({ type: 'garbage', text: head }),
			onEnd(end) {
				const why = toExitReason(end, child?.complaint() ?? '', deps.command[0]);
				rpc.close(why);
				if (isOpen) live.finish(why);
			},
		});
	}

	async function readState(limitMs?: number): Promise<Result<z.infer<typeof state>>> {
		const reported = await rpc.ask({ type: 'get_state' }, limitMs);
		if (!reported.ok) return reported;
		const parsed = state.safeParse(reported.value);
		return parsed.success ? ok(parsed.data) : refused(notPiMessage(deps.command[0]));
	}

	/** The gate must be loaded, and the folder must be right. */
	async function refuseGate(): Promise<string | null> {
		if (!gate) return "Roost's gate did not answer from inside Pi, so nothing was started.";
		const tooOld = refuseVersion(gate.version, deps.command[0]);
		if (tooOld !== null) return tooOld;
		const here = await realpath(request.cwd).catch(() => request.cwd);
		return [request.cwd, here].includes(gate.cwd) ? null : `This conversation belongs to ${gate.cwd}: open it there.`;
	}

	async function goBackTo(upTo: string, from: string): Promise<Result<z.infer<typeof state>>> {
		const asked = await rpc.ask({ type: 'prompt', message: `/${FORK_COMMAND} ${upTo}` });
		const now = asked.ok ? await readState() : asked;
		return now.ok && now.value.sessionId === from ? refused('Pi knows no such message in this conversation.') : now;
	}

	async function open(): Promise<Result<Opened>> {
		const beginning = await findBeginning(request, env, live.newId);
		if (!beginning.ok) return beginning;
		child = start(beginning.value, await sessionFolder(env, request.cwd));
		const first = await readState(READY_MS);
		if (!first.ok) return first;
		const refusal = await refuseGate();
		if (refusal !== null) return refused(refusal);
		const { type } = beginning.value;
		const began = type === 'copy-up-to' ? await goBackTo(beginning.value.upTo, first.value.sessionId) : first;
		if (!began.ok) return began;
		const { sessionId: nativeId, sessionFile: transcriptPath = '', model } = began.value;
		if (type === 'resume') await sumSessionFile(transcriptPath, usage);
		isOpen = true;
		const leftOut = await describeLeftOut(request.cwd, env.HOME ?? '');
		return ok({ nativeId, transcriptPath, model: model && `${model.provider}/${model.id}`, leftOut });
	}

	return {
		open,
		prompt: (prompt: OutgoingPrompt) => turn.begin(prompt),
		steer: turn.steer,
		interrupt: turn.interrupt,
		models: () => turn.models(config),
		setModel: (model) => turn.setModel(model, config),
		modeChanged: () => {},
		end(graceMs) {
			asks.abandon();
			child?.end(graceMs);
		},
	};
}

function refused(why: string): Result<never> {
	return err(new AppError('cannot_start', why));
}

/** The oldest tested version. */
export const OLDEST_VERSION = '0.87.1';

const INSTALL = 'npm install -g @earendil-works/pi-coding-agent';

function toExitReason(end: ProcessEnd, complaint: string, program: string): string {
	if (end.type === 'not-started')
		return `Pi cannot be started (${end.message}): install it with "${INSTALL}", or name its program as agents.pi.command.`;
	const known = KNOWN.find(({ sign }) => sign.test(complaint));
	if (known) return known.sentence(lastLine(complaint));
	const how = end.signal === null ? `exit code ${end.code}` : end.signal;
	const text = lastLine(complaint);
	return text === undefined ? `Pi ended (${how}).` : `Pi ended: ${asSentence(text)} (${how}, ${program})`;
}

function notPiMessage(program: string): string {
	return `${program} does not speak like Pi: name the program of Pi as agents.pi.command.`;
}

function refuseVersion(version: string | undefined, program: string): string | null {
	if (version === undefined)
		return `The version of Pi at ${program} is unknown, so it was not started. Set agents.pi.command in config.yaml to the program of Pi itself.`;
	if (version.localeCompare(OLDEST_VERSION, 'en', { numeric: true }) >= 0) return null;
	return `Pi ${version} is too old for Roost, which needs ${OLDEST_VERSION} or newer: update it with "${INSTALL}".`;
}

const KNOWN: readonly { sign: RegExp; sentence: (text: string | undefined) => string }[] = [
	{
		sign: /node:module' does not provide an export|enableCompileCache/,
		sentence: () => 'Pi needs Node 22.19 or newer: put a newer node first on the PATH.',
	},
	{
		sign: /Unknown option: /,
		sentence: (text) => `Pi is too old for Roost (${text ?? ''}): update it with "${INSTALL}".`,
	},
	{
		sign: /Failed to load extension/,
		sentence: (text) => `Roost's gate could not be loaded into Pi, so nothing was started: ${text ?? ''}`,
	},
];

/** Without Pi's own hints and warnings. */
function lastLine(complaint: string): string | undefined {
	const lines = complaint.split('\n').map((line) => line.trim());
	return lines.findLast((line) => line !== '' && !/^(?:Hint|Warning):/.test(line));
}

export function asSentence(text: string): string {
	return /[.!?]$/.test(text) ? text : `${text}.`;
}

export const PI_CAPABILITIES = drivenCapabilities('pi');

/** `newId` makes UUIDs, under which conversations are stored. */
export type PiAgentDeps = DriveDeps & {
	config?: PiConfig | undefined;
	/** Additional extensions, by absolute path. */
	extensions?: readonly string[] | undefined;
};

export function createPiAgent(deps: PiAgentDeps): DrivableAgent {
	const { command, config = {}, extensions = [] } = deps;
	return createLiveDrivable(
		{
			capabilities: PI_CAPABILITIES,
			usualKey: PI_USUAL_KEY,
			title: 'Pi',
			refuse: refuseRequest,
			connect: (live, request) => connectPi(live, request, { command, env: deps.env(request.session ?? ''), config, extensions }),
			hasPrompt: createHasPrompt(deps.env('')),
		},
		deps,
	);
}
