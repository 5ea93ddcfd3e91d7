// A connection to a process started with `pi --mode rpc`, instead of its terminal.
import { realTimers } from '@roost/machine/timers';
import { z } from 'zod';
import { readProcessLines } from '../base/process-lines.ts';
import type { ConnectionState, RpcProcessHandle, RuntimeConnection } from '../base/types.ts';
import { type PiRecord, parseRecord } from './records.ts';
import { createPiRpc } from './rpc.ts';
import { toNormalCall } from './tools.ts';

const working = z.object({ isStreaming: z.boolean() });

export function connectRpc(process: RpcProcessHandle): RuntimeConnection {
	const rpc = createPiRpc({ write, timers: realTimers });
	const running = new Map<string, string>();
	let hasFailed = false;
	const reading = readProcessLines(
		process.stdout,
		(line) => receive(parseRecord(line)),
		(cause) => rpc.close(cause === undefined ? 'Pi has ended.' : `Pi's output cannot be read: ${String(cause)}`),
	);

	function write(line: string): void {
		void Promise.resolve(process.stdin.write(`${line}\n`)).catch(() => rpc.close('Pi no longer accepts commands.'));
	}

	function receive(record: PiRecord): void {
		if (record.type === 'reply') rpc.receive(record);
		// There is no user to ask, and nothing may block.
		else if (record.type === 'dialog') rpc.notify({ type: 'extension_ui_response', id: record.dialog.id, cancelled: true });
		else if (record.type === 'tool-begun') running.set(record.call.id, record.call.name);
		else if (record.type === 'tool-ended') running.delete(record.id);
		else if (record.type === 'answer') hasFailed = record.answer.stopReason === 'error';
	}

	async function ask(command: Parameters<typeof rpc.ask>[0]): Promise<unknown> {
		const reported = await rpc.ask(command);
		if (!reported.ok) throw reported.error;
		return reported.value;
	}

	return {
		sendPrompt: async (message) => void (await ask({ type: 'prompt', message, streamingBehavior: 'followUp' })),
		followUp: async (message) => void (await ask({ type: 'prompt', message, streamingBehavior: 'followUp' })),
		async abort() {
			await ask({ type: 'clear_queue' });
			await ask({ type: 'abort' });
			// When stopped during a tool, Pi reports the next model call as failed.
			hasFailed = false;
		},
		async getState(): Promise<ConnectionState> {
			const reported = await rpc.ask({ type: 'get_state' });
			if (!reported.ok) return { status: 'error' };
			const state = working.safeParse(reported.value);
			if (!state.success || !state.data.isStreaming) return { status: hasFailed ? 'error' : 'idle' };
			const tool = [...running.values()].at(-1);
			return { status: 'working', ...(tool === undefined ? {} : { currentTool: toNormalName(tool) }) };
		},
		close() {
			rpc.close('The connection to Pi was closed.');
			reading.cancel();
		},
	};
}

function toNormalName(tool: string): string {
	return toNormalCall({ name: tool, input: {} }, { cwd: '/' }).tool_name;
}
