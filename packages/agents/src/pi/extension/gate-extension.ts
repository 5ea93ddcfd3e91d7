// Roost's gate inside a driven Pi: every tool call asks first, and no answer is a denial.
import { isJsonObject } from '../../base/json-object.ts';
import type { PiApi, PiBlock, PiContext, PiEntry, PiToolCall } from './pi-api.ts';
import { readPiVersion } from './pi-version.ts';
import {
	FORK_COMMAND,
	GATE_TITLE,
	type GateAnswer,
	type GateCall,
	type GateStatus,
	SENT_COMMAND,
	SENT_ENTRY,
	STATUS_KEY,
	settleInput,
} from './shared.ts';

/** Pi loads the default export. @public */
export default function openGate(pi: PiApi): void {
	const { argv, execPath, env } = process;
	const version = readPiVersion({ script: argv[1], execPath, packageDir: env.PI_PACKAGE_DIR });
	pi.on('session_start', (_event, context) => report(context, { type: 'ready', version, cwd: context.cwd }));
	pi.on('tool_call', judge);
	pi.on('turn_end', (_event, context) => {
		const entryId = lastAnswer(context);
		if (entryId !== undefined) report(context, { type: 'answer', entryId });
	});
	pi.registerCommand(SENT_COMMAND, {
		description: 'For Roost: the next prompt has this id',
		handler: async (id) => pi.appendEntry(SENT_ENTRY, { id }),
	});
	pi.registerCommand(FORK_COMMAND, {
		description: 'For Roost: continue in a copy that ends with this message',
		async handler(entryId, context) {
			await context.fork(entryId.trim(), { position: 'at' });
		},
	});
}

/** The limit of Roost's line reader, with the call quoted once more. */
const MAX_BYTES = 7_000_000;

async function judge(event: PiToolCall, context: PiContext): Promise<PiBlock | undefined> {
	const { toolCallId, toolName, input } = event;
	const asked = structuredClone(input);
	const call: GateCall = { toolCallId, toolName, input: asked, answer: lastAnswer(context) };
	const text = JSON.stringify(call);
	if (Buffer.byteLength(JSON.stringify(text)) > MAX_BYTES) return block('This call is too large for Roost to look at.');
	const message = await context.ui.input(GATE_TITLE, text, { signal: context.signal });
	const verdict = readAnswer(message);
	if (!verdict.allowed) return block(verdict.reason);
	settleInput(input, verdict.input ?? asked);
	return undefined;
}

function readAnswer(text: string | undefined): GateAnswer {
	if (text === undefined) return { allowed: false, reason: 'This call was not approved.' };
	const answer: unknown = JSON.parse(text);
	if (isJsonObject(answer) && answer.allowed === true)
		return { allowed: true, input: isJsonObject(answer.input) ? answer.input : undefined };
	const reason = isJsonObject(answer) && typeof answer.reason === 'string' ? answer.reason : 'Roost refused this.';
	return { allowed: false, reason };
}

/** Calls and results are children of their message. */
function lastAnswer({ sessionManager }: PiContext): string | undefined {
	let entry: PiEntry | undefined = sessionManager.getLeafEntry();
	while (entry && entry.message?.role !== 'assistant') {
		entry = entry.parentId === null ? undefined : sessionManager.getEntry(entry.parentId);
	}
	return entry?.id;
}

function report({ ui }: PiContext, status: GateStatus): void {
	ui.setStatus(STATUS_KEY, JSON.stringify(status));
}

function block(reason: string): PiBlock {
	return { block: true, reason };
}
