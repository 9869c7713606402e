import { useQuery } from "@tanstack/react-query";
import { documentStoresQuery } from "../../api/document-stores.ts";
import { formStrings } from "../../strings/forms.ts";
import type { WidgetProps } from "../form/form-scope.ts";
import { ResourceWidget } from "./resource-widget.tsx";

/** Documents that can be searched. */
export function DocumentStoreWidget(props: WidgetProps) {
  return <ResourceWidget {...props} query={useQuery(documentStoresQuery)} placeholder={formStrings.chooseStore} />;
}
