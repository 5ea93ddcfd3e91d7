// Verifies one session in a thread of its own, because hashing a long record takes seconds. Posts one result.
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { verifyHome } from './verify-record.ts';

const { home, session } = z
	.object({ home: z.object({ database: z.string(), runnerId: z.string() }), session: z.string() })
	.parse(workerData);
const proof = await verifyHome(home, { session });
parentPort?.postMessage(proof.ok ? proof : { ok: false, error: proof.error.toJSON() });
