import { type Ask, DeskError, type Request, toResult } from '../../ledger/index.ts';
import { callIdOf } from '../call-id.ts';
import type { ToolDeps } from '../tool-deps.ts';
import { instanceOf } from './call-facts.ts';

/**
 * Opens a request or joins the one that exists. Its id is in the journal before anybody is asked.
 * @throws DeskError
 */
export async function openRequest(
  deps: ToolDeps,
  ask: Ask,
  meta: Readonly<Record<string, unknown>> | undefined,
): Promise<Request> {
  const { desk, caller, newId } = deps;
  const instance = await instanceOf(deps);
  const openAs = async (id: string) => {
    await note(deps, id, ask);
    const receipt = await desk.ask({ id, ask, instance, caller });
    if (receipt.request.id !== id) {
      await note(deps, receipt.request.id, ask);
      // This id was never opened: the journal has nothing to wait for under it.
      await deps.journal?.settled(id, toResult(receipt.request)).catch(() => {});
    }
    return receipt;
  };
  const callId = callIdOf(meta, caller, ask);
  if (callId === null) return (await openAs(newId())).request;
  const receipt = await openAs(callId);
  // A call id that comes back after its answer was handed over names another call: some clients count from zero again.
  const isStale = receipt.joined === 'same_id' && receipt.request.deliveredAt !== null;
  return isStale ? (await openAs(newId())).request : receipt.request;
}

async function note({ journal, log }: ToolDeps, id: string, ask: Ask): Promise<void> {
  try {
    await journal?.asked(id, ask);
  } catch (error) {
    if (error instanceof DeskError) throw error;
    log.error({ err: error, requestId: id }, 'the local ledger could not be written');
    throw new DeskError(
      'unavailable',
      'This instance could not write its local ledger, and asks nobody without it. Nothing was approved. Free disk space or fix the permissions of the data folder, then call again.',
      { cause: error },
    );
  }
}
