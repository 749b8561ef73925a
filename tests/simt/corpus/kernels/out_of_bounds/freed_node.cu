// Lists from the heap of the device are summed and freed; the wrong twin reads a node that it has freed.
struct Node {
    int value;
    Node* next;
};

__global__ void freed_node(const int* x, int* sums, int length)
{
    int i = threadIdx.x;
    Node* head = nullptr;
    for (int k = 0; k < length; k++) {
        Node* node = static_cast<Node*>(malloc(sizeof(Node)));
        node->value = x[i * length + k];
        node->next = head;
        head = node;
    }
    int sum = 0;
    while (head) {
        sum += head->value;
#ifdef WRONG
        free(head);
        head = head->next;  // WRONG: out_of_bounds
#else
        Node* next = head->next;
        free(head);
        head = next;
#endif
    }
    sums[i] = sum;
}
