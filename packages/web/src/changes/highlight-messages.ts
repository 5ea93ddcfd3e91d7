// What the page and the worker that highlights code send each other.
import type { Language } from './languages.ts';

export const TOKEN_KINDS = ['comment', 'string', 'number', 'keyword', 'name', 'type'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** A part of a line that is not plain. */
export type Token = { readonly start: number; readonly end: number; readonly kind: TokenKind };

export type HighlightRequest = { readonly id: number; readonly language: Language; readonly lines: readonly string[] };

/** Without tokens it failed, and the lines stay plain. */
export type HighlightReply = { readonly id: number; readonly tokens?: readonly (readonly Token[])[] };
