import type { RequestBody, Schemas } from '@rollcall/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient, rollcall } from '../../session/api.js';

export type SavedView = Schemas['View'];

const viewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await rollcall.call('listViews', { signal })).body.data.items,
});

/** Those of the user and those shared with everybody. */
export function useViews() {
  return useQuery(viewsQuery);
}

const reload = () => queryClient.invalidateQueries(viewsQuery);

export async function createView(body: RequestBody<'createView'>): Promise<void> {
  await rollcall.call('createView', { body });
  await reload();
}

export async function changeView(id: string, body: RequestBody<'updateView'>): Promise<void> {
  await rollcall.call('updateView', { path: { id }, body });
  await reload();
}

export async function deleteView(id: string): Promise<void> {
  await rollcall.call('deleteView', { path: { id } });
  await reload();
}
