"""Datasets on disk: folders, manifests, filters, cards and storage."""
