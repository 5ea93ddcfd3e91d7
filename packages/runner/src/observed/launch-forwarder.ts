// The program that the hooks of a launch run, and how long it waits for this runner's answer.
import { fileURLToPath } from 'node:url';
import { UNSTATED_ASK_MS } from '@roost/agents/ask-timeouts';
import type { Forwarder } from '@roost/agents/launchable';
import type { LaunchOpened } from '@roost/protocol/api/launches';

export function launchForwarder({ askMs = UNSTATED_ASK_MS }: LaunchOpened['hooks']): Forwarder {
	return { node: process.execPath, script: fileURLToPath(import.meta.resolve('@roost/agents/hooks/forwarder')), askMs };
}
