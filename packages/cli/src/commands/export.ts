// roost export: a session as a file that can be handed on and checked against its chain.

import { fail } from '../output/exit.ts';
import { exportRecord } from './export-record.ts';

export async function exportSession(session: string, options: { out?: string; json?: boolean }): Promise<void> {
	const exported = await exportRecord({ session, out: options.out, env: process.env });
	if (!exported.ok) fail(exported.error, options);
}
