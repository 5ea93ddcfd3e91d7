// Recorded messages of an ACP agent, read by Roost's own adapter: its updates, and its permission requests with their answers.
import { createAcpCalls, createAcpUpdates } from '@roost/agents/acp/acp-calls';
import { answerPermission, permissionRequest, update } from '@roost/agents/acp/acp-messages';
import { createAcpAgent } from '@roost/agents/acp/open-acp-agent';
import { createEventReporter, type EventReporter } from '@roost/agents/live/event-reporter';
import { createLiveGate } from '@roost/agents/live/gate';
import { createMessageStream, createOpenCalls } from '@roost/agents/live/turns';
import type { AcpSample } from '../../samples/agent-samples.ts';
import { createManualTimers } from '../manual-timers.ts';

export type AcpReplay = Pick<EventReporter, 'runtime' | 'report'> & {
	/** Each message in turn; resolves with the kind of the option that each request got. */
	play(samples: readonly AcpSample[]): Promise<(string | undefined)[]>;
};

const CWD = '/project';

export function createAcpReplay(): AcpReplay {
	const timers = createManualTimers();
	let id = 0;
	const newId = () => `id-${id++}`;
	const { capabilities } = createAcpAgent({ agent: 'acp:x', title: 'X', argv: () => ['x'], env: () => ({}) });
	const request = { cwd: CWD, gate: 'enforce' } as const;
	const reporter = createEventReporter({ capabilities, request, nativeId: 'n', timers, now: timers.now, newId });
	const open = createOpenCalls();
	const gate = createLiveGate({ reporter, calls: open, cwd: CWD, allowedTools: undefined, interrupt: () => {} });
	const calls = createAcpCalls({ reporter, calls: open, gate, signal: () => undefined });
	const messages = createMessageStream(reporter);
	const updates = createAcpUpdates({ reporter, messages, calls, newId });

	async function permit({ params }: AcpSample): Promise<string | undefined> {
		const { toolCall, options } = permissionRequest.parse(params);
		const verdict = await calls.permit(toolCall, new AbortController().signal);
		const chosen = JSON.stringify(answerPermission(verdict, options).answer);
		return options.find(({ optionId }) => chosen.includes(`"${optionId}"`))?.kind;
	}

	return {
		runtime: reporter.runtime,
		report: reporter.report,
		async play(samples) {
			const chosen: (string | undefined)[] = [];
			for (const sample of samples) {
				if (sample.method === 'session/update') updates.take(update.parse(sample.params).update);
				else if (sample.method === 'session/request_permission') chosen.push(await permit(sample));
			}
			messages.breakOff();
			return chosen;
		},
	};
}
