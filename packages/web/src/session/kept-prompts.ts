// Drafts and prompts on their way, by session, in the storage of this browser.
import { parseJson } from '@roost/core/display/parse-json';
import { z } from 'zod';

const keptPrompt = z.object({
	text: z.string(),
	outgoing: z.object({ commandId: z.string(), text: z.string() }).optional(),
});

export type Outgoing = NonNullable<z.infer<typeof keptPrompt>['outgoing']>;

export type KeptPrompt = { readonly text: string; readonly outgoing: Outgoing | undefined };

export function readPrompt(storage: Pick<Storage, 'getItem'>, id: string): KeptPrompt {
	const kept = keptPrompt.safeParse(parseJson(storage.getItem(keyOf(id)) ?? ''));
	return { text: kept.data?.text ?? '', outgoing: kept.data?.outgoing };
}

export function writePrompt(storage: Pick<Storage, 'setItem' | 'removeItem'>, id: string, kept: KeptPrompt): void {
	if (kept.text === '' && kept.outgoing === undefined) storage.removeItem(keyOf(id));
	else storage.setItem(keyOf(id), JSON.stringify(kept));
}

function keyOf(id: string): string {
	return `prompt ${id}`;
}
