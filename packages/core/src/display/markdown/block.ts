// Markdown as data. Texts are as the agent wrote them: each face sanitises what it shows.

export type Block =
	| { readonly type: 'paragraph'; readonly lines: readonly Line[] }
	| { readonly type: 'heading'; readonly level: number; readonly line: Line }
	| { readonly type: 'quote'; readonly lines: readonly Line[] }
	| { readonly type: 'code'; readonly language: string; readonly lines: readonly string[] }
	| { readonly type: 'rule' }
	| { readonly type: 'blank'; readonly count: number }
	| List
	| Table;

export type Line = readonly Span[];

/** HTML is text. An image is never loaded: its text and address are shown. */
export type Span =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'strike'; readonly text: string }
	| { readonly type: 'strong' | 'emphasis' | 'code'; readonly text: string }
	| { readonly type: 'image'; readonly text: string; readonly address: string }
	/** `safe`: may be opened, because its address is http or https. */
	| { readonly type: 'link'; readonly text: string; readonly address: string; readonly safe: boolean };

/** All items have ordinals, or none. */
export type List = { readonly type: 'list'; readonly ordered: boolean; readonly items: readonly Item[] };

export type Item = {
	/** Blank lines before it. */
	readonly gap: number;
	/** In columns, limited; a list inside an item is indented by at least two more. */
	readonly indent: number;
	/** As written, such as "1." or "2)". */
	readonly ordinal?: string;
	/** Only for tasks. */
	readonly done?: boolean;
	readonly line: Line;
	readonly lists: readonly List[];
};

export type Alignment = 'left' | 'center' | 'right';

/** Rows may be shorter or longer than the head. */
export type Table = {
	readonly type: 'table';
	readonly head: readonly Line[];
	readonly alignments: readonly (Alignment | undefined)[];
	readonly rows: readonly (readonly Line[])[];
};
