// Trees of nodes from the heap of the device: each thread inserts its numbers, writes them in order and frees the nodes.
struct Node {
    int value;
    Node* left;
    Node* right;
};

__global__ void device_malloc(const int* x, int* sorted, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Node* root = nullptr;
    for (int k = 0; k < count; k++) {
        Node* node = static_cast<Node*>(malloc(sizeof(Node)));
        if (!node)
            return;
        node->value = x[i * count + k];
        node->left = nullptr;
        node->right = nullptr;
        Node** place = &root;
        while (*place)
            place = node->value < (*place)->value ? &(*place)->left : &(*place)->right;
        *place = node;
    }
    int written = 0;
    while (root) {
        Node** place = &root;
        while ((*place)->left)
            place = &(*place)->left;
        Node* smallest = *place;
        sorted[i * count + written++] = smallest->value;
        *place = smallest->right;
        free(smallest);
    }
}
