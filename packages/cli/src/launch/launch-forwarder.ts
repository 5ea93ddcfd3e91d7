// The program that the hooks of a launch run, and how long it waits for this runner's answer.
import { UNSTATED_ASK_MS } from '@roost/agents/base/ask-timeouts';
import type { Forwarder } from '@roost/agents/kind/observed-kind';
import { programFile } from '@roost/core/process/program-files';
import type { LaunchOpened } from '@roost/protocol/api/launches';

export function launchForwarder({ askMs = UNSTATED_ASK_MS }: LaunchOpened['hooks']): Forwarder {
	return { node: process.execPath, script: programFile('forwarder'), askMs };
}
