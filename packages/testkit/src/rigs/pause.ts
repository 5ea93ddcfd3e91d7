// Lets real time pass, for what a face would wait for.
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

export async function pause(ms: number): Promise<void> {
	await (ms === 0 ? nextTurn() : delay(ms));
}
