// The wire of Pi: one process that exchanges JSON lines.
import { realpath } from 'node:fs/promises';
import type { DrivenRequest, OutgoingPrompt } from '@roost/core/runtime/connection';
import { type LineProcess, startLineProcess } from '@roost/machine/line-process';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { z } from 'zod';
import { parseBounded } from '../hooks/bounded-json.ts';
import type { PiConfig } from '../kind/agent-kind.ts';
import type { LiveContext, Opened, Wire } from '../live/live-agent.ts';
import { createPiAsks } from './asks.ts';
import { createPiEvents } from './events.ts';
import { notPiMessage, refuseVersion, toExitReason } from './exit-reason.ts';
import { FORK_COMMAND, STATUS_KEY } from './extension/shared.ts';
import { describeLeftOut } from './ignored-files.ts';
import { type PiRecord, parseRecord } from './records.ts';
import { createPiRpc } from './rpc.ts';
import { createSessionUsage, sessionFolder, sumSessionFile } from './session-files.ts';
import { type Beginning, findBeginning, toStartArgv } from './start-argv.ts';
import { createPiTurn } from './turn.ts';

export type PiWireDeps = {
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

export function connectPi(live: LiveContext, request: DrivenRequest, deps: PiWireDeps): Wire {
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

	function hear(record: PiRecord): void {
		if (record.type === 'garbage' && ++garbage === MAX_GARBAGE && !isOpen) rpc.close(notPiMessage(deps.command[0]));
		if (record.type === 'reply') rpc.hear(record);
		else if (record.type === 'dialog') asks.hear(record.dialog);
		else if (record.type === 'status' && record.key === STATUS_KEY) hearGate(parseBounded(record.text));
		else {
			events.hear(record);
			turn.hear(record);
		}
	}

	function hearGate(status: unknown): void {
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
			onLine: (line) => hear(parseRecord(line)),
			onOversize: (head) => hear({ type: 'garbage', text: head }),
			onEnd(end) {
				const why = toExitReason(end, child?.complaint() ?? '', deps.command[0]);
				rpc.close(why);
				if (isOpen) live.finish(why);
			},
		});
	}

	async function readState(limitMs?: number): Promise<Result<z.infer<typeof state>>> {
		const told = await rpc.ask({ type: 'get_state' }, limitMs);
		if (!told.ok) return told;
		const parsed = state.safeParse(told.value);
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
